/** How tables that tell what changed are written: a column before all others says what became of each row. */
export const diffLine: Readonly<Record<'head' | 'add' | 'del', (line: string) => string>> = {
  head: (line) => `diff,${line}`,
  add: (line) => `add,${line}`,
  del: (line) => `del,${line}`,
}
