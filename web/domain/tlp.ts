/** TLP 2.0 colours from least to most restricted, by API name. */
export const TLP_COLOURS = ['WHITE', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const

const NAMES: Readonly<Record<string, string>> = { WHITE: 'CLEAR', AMBER_STRICT: 'AMBER+STRICT' }

/** The TLP 2.0 name of a colour. */
export const tlpName = (colour: string): string => NAMES[colour] ?? colour

/** Options for TLP inputs. */
export const TLP_OPTIONS = TLP_COLOURS.map((value) => ({ value, label: `TLP:${tlpName(value)}` }))
