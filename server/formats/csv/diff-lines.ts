/** Formats the lines of difference tables: an additional first column states what happened to each row. */
export const diffLine: Readonly<Record<'head' | 'add' | 'del', (line: string) => string>> = {
  head: (line) => `diff,${line}`,
  add: (line) => `add,${line}`,
  del: (line) => `del,${line}`,
}
