/** Of the heap of JavaScript. */
export const MAX_HEAP_MB = 1024;
/** Of the whole process: buffers are not in that heap. */
export const MAX_MEMORY_MB = 1536;
