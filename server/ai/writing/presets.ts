/** Instructions that users need often. */
export const PRESETS = {
  shorten: { instruction: 'Make the text about half as long. Keep the facts that matter most.', isWhole: false },
  expand: {
    instruction: 'Write the text in more detail and in complete sentences, but add no facts that it does not contain.',
    isWhole: false,
  },
  correct: {
    instruction: 'Correct spelling, grammar and punctuation. Change nothing that is correct.',
    isWhole: false,
  },
  formal: { instruction: 'Write the text in the formal and neutral style of an intelligence report.', isWhole: false },
  summarise: { instruction: 'Summarise the text in at most five sentences.', isWhole: true },
  'bullet-points': { instruction: 'Write the text as a list of short bullet points in Markdown.', isWhole: false },
} as const

export type Preset = keyof typeof PRESETS
