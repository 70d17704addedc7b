/** The types of its own that the invented organisation has. */
export const definitions = [
  { name: 'Exposure', type: 'exposure' },
  { name: 'Third party', type: 'third-party' },
  { name: 'Fraud case', type: 'fraud-case' },
] as const
