import { isValueName } from './column-names.ts'
import { typesOfWord } from './type-words.ts'
import { valuesOf } from './values.ts'

/** Minimum number of rows for a decision. */
const MIN_ROWS = 3

/**
 * Finds columns of links that cite a source for their row instead of being indicators. The other columns tell them apart: all links
 * lead to one site while other columns name many hosts, or their paths contain the value of another column, like links to the
 * analysis of a sample. A column named after an observable type, or as a column of values, is never one of these.
 */
export function referencesAmong(
  columnIndexes: readonly number[],
  rows: readonly (readonly string[])[],
  header: readonly string[],
): ReadonlySet<number> {
  const found = columnIndexes.filter((i) => {
    if (isNamed(header[i] ?? '')) return false
    const others = columnIndexes.filter((k) => k !== i)
    const linked = rows.flatMap((row) => {
      const link = others.length === 0 ? undefined : linkIn(row[i] ?? '')
      return link ? [{ ...link, others: others.map((k) => row[k] ?? '') }] : []
    })
    if (linked.length < MIN_ROWS || linked.length * 2 < rows.length) return false
    return isOneSite(linked) || namesOthers(linked)
  })
  return new Set(found)
}

const isNamed = (name: string): boolean => isValueName(name) || typesOfWord(name) !== undefined

interface Linked {
  readonly host: string
  readonly path: string
  readonly others: readonly string[]
}

function linkIn(cell: string): Pick<Linked, 'host' | 'path'> | undefined {
  const [, host, path = ''] = /^https?:\/\/([^\s/?#@]{1,254})(\/\S{0,2000})?$/i.exec(cell.trim()) ?? []
  return host === undefined ? undefined : { host: host.toLowerCase(), path: path.toLowerCase() }
}

/** Whether all links lead to one site, while other columns name many different hosts. */
function isOneSite(linked: readonly Linked[]): boolean {
  const [first] = linked
  if (!first || linked.some(({ host }) => host !== first.host)) return false
  const hosts = new Set(linked.flatMap(({ others }) => others.flatMap(hostsIn)))
  return hosts.size >= MIN_ROWS && ![...hosts].some((host) => first.host === host || first.host.endsWith(`.${host}`))
}

/** Returns the host names in a cell: domains, and the hosts of URLs. */
const hostsIn = (cell: string): string[] =>
  valuesOf(cell).flatMap(({ type, value }) => {
    if (type === 'domain') return [value]
    const host = type === 'uri' ? linkIn(value)?.host : undefined
    return host === undefined ? [] : [host]
  })

/** Whether most links contain the value of another column in their path. */
const namesOthers = (linked: readonly Linked[]): boolean =>
  linked.filter(({ path, others }) =>
    others.some((cell) => valuesOf(cell).some(({ value }) => value.length >= 7 && path.includes(value.toLowerCase()))),
  ).length *
    2 >
  linked.length
