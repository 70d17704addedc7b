/** The colours of the Traffic Light Protocol, from the least to the most restricted. */
export const TLP = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'] as const

/** All colours that may be stored anywhere, those of TLP 2 in their places, from the least to the most restricted. */
export const TLP_ORDER = ['NONE', 'WHITE', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const

export type Tlp = (typeof TLP)[number]

/** Whether something of this colour may be seen by who is allowed up to another one. */
export const isWithin = (colour: Tlp, allowed: Tlp): boolean => TLP.indexOf(colour) <= TLP.indexOf(allowed)

/** How restricted a colour is: its place from the least to the most restricted. */
export const tlpRank = (colour: Tlp): number => TLP.indexOf(colour)

/** The colour of TLP 1 that stands for a given one, of TLP 1 or 2; none given is NONE. */
export function tlpOf(colour: string | null | undefined, strictDowngrade: 'RED' | 'AMBER'): Tlp {
  if (colour === null || colour === undefined) return 'NONE'
  if (colour === 'CLEAR') return 'WHITE'
  if (colour === 'AMBER_STRICT') return strictDowngrade
  // A colour that nobody knows must not open what somebody meant to close.
  return TLP.find((known) => known === colour) ?? 'RED'
}
