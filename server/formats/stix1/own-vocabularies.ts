/** Marks the text of a relationship as its key. Other producers write a description there. */
export const KEY_VOCABULARY = 'relationship-key'

/** Marks the type of a generic test mechanism as that of another kind, whose content is in the specification. */
export const MECHANISM_VOCABULARY = 'test-mechanism-type'

/** Marks the type of a generic test mechanism as the language of the indicator's pattern, which is in the specification. */
export const PATTERN_VOCABULARY = 'pattern-type'

/** The STIX 2.1 vocabularies for indicator and report types. */
export const INDICATOR_TYPES = 'indicator-type-ov'
export const REPORT_TYPES = 'report-type-ov'
