import type { Tlp } from '../domain/tlp.ts'

/** A TLP colour as accepted in requests. */
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

/** Parses a TLP label such as `TLP:AMBER+STRICT`, `tlp-amber-strict` or `Amber`; undefined if it is unknown. */
export function tlpOfLabel(label: string): SentTlp | undefined {
  if (label.length > 50) return undefined
  const name = label
    .trim()
    .toUpperCase()
    .replace(/^TLP[\s:_-]*/, '')
    .replaceAll(/[\s+_-]+/g, '_')
  return COLOURS.get(name)
}
