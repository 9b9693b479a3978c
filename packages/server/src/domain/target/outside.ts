/** Begins the names of findings about what looks personal and is not in the plan; `ignore` accepts them. */
export const OUTSIDE = 'outside:';
