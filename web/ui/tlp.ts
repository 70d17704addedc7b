/** The colours of TLP 2.0 from the least to the most restricted, by the names that the API has for them. */
export const TLP_COLOURS = ['WHITE', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const

const NAMES: Readonly<Record<string, string>> = { WHITE: 'CLEAR', AMBER_STRICT: 'AMBER+STRICT' }

/** What TLP 2.0 calls a colour. */
export const tlpName = (colour: string): string => NAMES[colour] ?? colour

/** The colours that forms offer. */
export const TLP_OPTIONS = TLP_COLOURS.map((value) => ({ value, label: `TLP:${tlpName(value)}` }))
