import { observablePlaces } from '../../formats/text/extract-observables.ts'
import type { WebSource } from '../calling/question.ts'
import { withoutLinksExcept } from '../grounding/without-links.ts'

/** What stands behind an enrichment: a page on the web, or an entity of this platform. */
export interface Source {
  /** The number by which texts cite it. */
  readonly n: number
  readonly title: string
  readonly url: string | null
  /** The URL of the entity. */
  readonly entity: string | null
  readonly date: string | null
}

const MAX_TITLE = 500

/** The pages that a provider found, without those that cannot be links. Their numbers stay, because the answer cites them. */
export function webSources(found: readonly WebSource[]): Source[] {
  return found.flatMap(({ url, title, date }, i) => {
    const address = webAddress(url)
    if (address === undefined) return []
    const shown = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
    return [{ n: i + 1, title: shown.slice(0, MAX_TITLE) || address, url: address, entity: null, date }]
  })
}

/** An address that is safe as a link; undefined for others. */
export function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, username, href } = new URL(url)
  return (protocol === 'https:' || protocol === 'http:') && username === '' ? href : undefined
}

/** A text without the URLs that are no source and without the numbers of sources that do not exist. */
export interface Trimmed {
  readonly text: string
  readonly removed: number
}

const TARGET = /!?\[([^[\]\n]{0,1000})\]\(([^()\s]{0,3000})(?:\s"[^"\n]{0,300}")?\)/g
const TAG = /<\/?[A-Za-z][^<>]{0,3000}>/g
const CITED = /\[(\d{1,4})\]/g
const SCHEME = /\b(?:https?|ftp|ftps|javascript|data|file|mailto):[^\s<>()[\]]{1,3000}/gi

/** Removes links, images, tags, URLs and citations that no source stands behind. */
export function onlySources(text: string, sources: readonly Source[]): Trimmed {
  const known = new Set(sources.flatMap(({ url }) => (url === null ? [] : [url])))
  const numbers = new Set(sources.map(({ n }) => n))
  const isKnown = (url: string): boolean => known.has(webAddress(url) ?? '')
  let removed = 0
  const linked = text
    .replaceAll(TAG, (tag) => {
      if (/(?:href|src)\s*=/i.test(tag)) removed++
      return ''
    })
    .replaceAll(TARGET, (all, label: string, url: string) => {
      if (isKnown(url) && !all.startsWith('!')) return all
      removed++
      return label
    })
  const unlinked = withoutUnknown(linked, isKnown)
  const cited = unlinked.text.replaceAll(CITED, (all, n: string) => (numbers.has(Number(n)) ? all : ''))
  // What is left may have become a link by the removal of what was in it, or is written in a way that was not recognised.
  const plain = withoutLinksExcept(cited.replaceAll('![', '! ['), isKnown)
  return { text: plain.replaceAll(/ {2,8}/g, ' ').trim(), removed: removed + unlinked.removed }
}

/** Removes URLs in any spelling. */
function withoutUnknown(text: string, isKnown: (url: string) => boolean): Trimmed {
  const schemes = [...text.matchAll(SCHEME)].map(({ 0: url, index }) => {
    const plain = url.replace(/[.,;:!?'"]{1,20}$/, '')
    return { value: plain, start: index, end: index + plain.length }
  })
  const places = [...schemes, ...observablePlaces(text).filter(({ type }) => type === 'uri')]
  const parts: string[] = []
  let [read, removed] = [0, 0]
  for (const { value, start, end } of places.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < read) continue
    const isKept = isKnown(value) || isKnown(text.slice(start, end))
    parts.push(text.slice(read, isKept ? end : start))
    if (!isKept) removed++
    read = end
  }
  return { text: [...parts, text.slice(read)].join(''), removed }
}
