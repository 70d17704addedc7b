/** The colours of the Traffic Light Protocol, from the least to the most restricted. */
export const TLP = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'] as const

export type Tlp = (typeof TLP)[number]

/** Whether something of this colour may be seen by who is allowed up to another one. */
export const isWithin = (colour: Tlp, allowed: Tlp): boolean => TLP.indexOf(colour) <= TLP.indexOf(allowed)
