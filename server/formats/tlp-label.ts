import type { Tlp } from '../domain/tlp.ts'

/** A colour as requests may send it. */
export type SentTlp = Tlp | 'CLEAR' | 'AMBER_STRICT'

const COLOURS: ReadonlyMap<string, SentTlp> = new Map<string, SentTlp>([
  ['NONE', 'NONE'],
  ['WHITE', 'WHITE'],
  ['CLEAR', 'CLEAR'],
  ['GREEN', 'GREEN'],
  ['AMBER', 'AMBER'],
  ['AMBER_STRICT', 'AMBER_STRICT'],
  ['RED', 'RED'],
])

/** The colour that people write as `TLP:AMBER+STRICT`, `tlp-amber-strict` or just `Amber`; undefined when it is none. */
export function tlpOfLabel(label: string): SentTlp | undefined {
  if (label.length > 50) return undefined
  const name = label
    .trim()
    .toUpperCase()
    .replace(/^TLP[\s:_-]*/, '')
    .replaceAll(/[\s+_-]+/g, '_')
  return COLOURS.get(name)
}
