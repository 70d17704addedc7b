import { z } from 'zod'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import type { Message } from '../calling/question.ts'
import { aboutMark, untrusted } from '../prompting/untrusted.ts'

/** The types that are extracted: a custom entity has a type of its own, which the model does not know. */
export const EXTRACTED_TYPES = entityTypes.filter((type) => type !== 'custom-entity')

export const CONFIDENCES = ['low', 'medium', 'high'] as const
export const LABELS = ['malicious', 'benign', 'unknown'] as const
export const USES = [
  'command-and-control',
  'delivery',
  'exfiltration',
  'malware',
  'scanning',
  'phishing',
  'victim',
  'legitimate',
  'other',
] as const

/**
 * What the model answers. Values are checked one by one afterwards, so that a wrong one is dropped and counted rather than spoiling the answer.
 */
export const answerSchema = z.object({
  entities: z.array(
    z.object({
      type: z.string().describe(`One of ${EXTRACTED_TYPES.join(', ')}.`),
      title: z.string().describe('The name as it is written in the text.'),
      aliases: z.array(z.string()).describe('Other names of it in the text.'),
      quote: z.string().describe('The words of the text that tell about it, copied exactly, at most one sentence.'),
      confidence: z.string().describe(`One of ${CONFIDENCES.join(', ')}.`),
      attacks: z
        .array(z.string())
        .describe('The ids of techniques of MITRE ATT&CK that the quote describes, for example T1566.001.'),
      observables: z.array(z.number()).describe('The numbers of listed observables that belong to it.'),
    }),
  ),
  observables: z.array(
    z.object({
      number: z.number().describe('Its number in the list.'),
      label: z.string().describe(`One of ${LABELS.join(', ')}.`),
      use: z.string().describe(`One of ${USES.join(', ')}.`),
    }),
  ),
})
export type Answer = z.output<typeof answerSchema>

/** A piece of the text with the observables that were found in it. */
export interface Asked {
  readonly text: string
  readonly observables: readonly { readonly type: string; readonly value: string }[]
}

/** What the model is asked about a piece of the text. */
export const messagesFor = (mark: string, { text, observables }: Asked): Message[] => [
  {
    role: 'system',
    content:
      'You extract entities of cyber threat intelligence from a text for an analyst: who attacks, with what, how and against whom. ' +
      'Name only what the text names. Copy each title and each quote from the text word by word: whatever is not in it is thrown away. ' +
      'Leave out what is only mentioned in passing. Label the listed observables and assign them to entities by their numbers; ' +
      `add no others. ${aboutMark(mark)}`,
  },
  untrusted(mark, { name: 'The text', text }),
  ...(observables.length > 0
    ? [
        untrusted(mark, {
          name: 'The observables in it',
          text: observables.map(({ type, value }, i) => `${i + 1}. ${type} ${oneLine(value)}`).join('\n'),
        }),
      ]
    : []),
]

const oneLine = (value: string): string => value.replaceAll(/\s+/g, ' ').slice(0, 300)
