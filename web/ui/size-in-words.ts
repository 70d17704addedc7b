const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A size in bytes as text. */
export function sizeInWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`
}
