// Where the last line about each person is in the journal: 8 bytes each, however long the lines are.

export function createLineArray() {
  let places = new Float64Array(1024);
  let last = 0;
  return {
    /** `isMarked`: the person is submitted, and stays so. */
    set(number: number, at: number, isMarked: boolean): void {
      while (number >= places.length) {
        const larger = new Float64Array(places.length * 2);
        larger.set(places);
        places = larger;
      }
      // Never zero: the header is there.
      places[number] = isMarked ? at : -at;
      last = Math.max(last, number);
    },
    get(number: number): number | undefined {
      const at = Math.abs(places[number] ?? 0);
      return at === 0 ? undefined : at;
    },
    isMarked: (number: number) => (places[number] ?? 0) > 0,
    last: () => last,
  };
}
