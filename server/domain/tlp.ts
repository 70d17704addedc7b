/** The colours of the Traffic Light Protocol, from the least to the most restricted. */
export const TLP = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'] as const

/** All colours that may be stored, including those of TLP 2, from the least to the most restricted. */
export const TLP_ORDER = ['NONE', 'WHITE', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const

export type Tlp = (typeof TLP)[number]

/** The restriction level of a colour. */
export const tlpRank = (colour: Tlp): number => TLP.indexOf(colour)

/** Converts a TLP 1 or 2 colour to TLP 1. No colour becomes NONE. */
export function tlpOf(colour: string | null | undefined, strictDowngrade: 'RED' | 'AMBER'): Tlp {
  if (colour === null || colour === undefined) return 'NONE'
  if (colour === 'CLEAR') return 'WHITE'
  if (colour === 'AMBER_STRICT') return strictDowngrade
  // An unknown colour counts as RED, so that it never discloses restricted data.
  return TLP.find((known) => known === colour) ?? 'RED'
}
