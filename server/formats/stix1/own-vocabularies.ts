/** Marks the text of a relationship as its key; what others write there is a description. */
export const KEY_VOCABULARY = 'relationship-key'

/** Marks the type of a generic test mechanism as that of another kind, whose content is its specification. */
export const MECHANISM_VOCABULARY = 'test-mechanism-type'

/** Marks the type of a generic test mechanism as the language of the indicator's pattern, which is its specification. */
export const PATTERN_VOCABULARY = 'pattern-type'

/** The vocabularies of STIX 2.1 for types of indicators and reports. */
export const INDICATOR_TYPES = 'indicator-type-ov'
export const REPORT_TYPES = 'report-type-ov'
