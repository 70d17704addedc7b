/** Prints rows as a table, or as JSON. */
export function print(rows: readonly Record<string, unknown>[], isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify(rows, null, 2))
    return
  }
  const [first] = rows
  if (!first) {
    console.log('none')
    return
  }
  const names = Object.keys(first)
  const cells = [
    names.map((name) => name.replaceAll('_', ' ')),
    ...rows.map((row) => names.map((name) => shown(row[name]))),
  ]
  const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)))
  for (const line of cells)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Prints fields as `name  value` lines, or as one JSON object. */
export function printRecord(record: Record<string, unknown>, isJson: boolean, say = console.log): void {
  if (isJson) {
    say(JSON.stringify(record, null, 2))
    return
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  for (const [name, value] of Object.entries(record)) say(`${name.replaceAll('_', ' ').padEnd(width)}  ${shown(value)}`)
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object')
    return (
      Object.entries(value)
        .map(([name, inner]) => `${name} ${typeof inner === 'object' && inner ? `(${shown(inner)})` : (inner ?? '-')}`)
        .join(', ') || '-'
    )
  return String(value)
}
