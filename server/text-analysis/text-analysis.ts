import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import { string } from '../engine/field.ts'
import { toUrl } from '../engine/reference.ts'
import type { Route } from '../engine/route.ts'
import { analyseText, MAX_TEXT_LENGTH, type TextAnalysis } from './analyse-text.ts'

const offsets = {
  start: z.int().describe('Offset in the text, in UTF-16 code units.'),
  end: z.int(),
}
const score = z.number().min(0).max(1)
const foundBy = z.enum(['id', 'name', 'text'])

const result = z.object({
  observables: z
    .array(
      z.object({
        type: z.string(),
        value: z.string(),
        ...offsets,
        sentence: z.string(),
        is_excluded: z.boolean().describe('Whether it is on an exclusion list, so that imports leave it out.'),
      }),
    )
    .describe('The same observables as in the import of a text file, each with its first occurrence.'),
  entities: z
    .array(
      z.object({
        entity: z.url(),
        id: z.string(),
        type: z.string(),
        title: z.string(),
        is_unified: z.boolean(),
        mentions: z.array(z.object({ text: z.string(), ...offsets })),
      }),
    )
    .describe('Visible entities whose title, name or alias is in the text.'),
  attacks: z
    .array(
      z.object({
        technique: z.string().describe('The id of a technique or tactic, for example T1566.001.'),
        name: z.string(),
        matrix: z.string(),
        attacks: z.array(z.url()).describe('The attack nodes to classify with: the places of the technique.'),
        score,
        found_by: z.array(foundBy),
        evidence: z.array(
          z.object({
            by: foundBy,
            ...offsets,
            sentence: z.string(),
            score,
            similar_to: z.string().nullable().describe('The most similar sentence of the framework, if it is known.'),
          }),
        ),
      }),
    )
    .describe('The attack nodes that the text may be about, the most likely first.'),
  notes: z.array(z.string()).describe('What was left out, and how to get better suggestions.'),
})

const analyse = defineAction({
  name: 'analyse_text',
  doc: 'Find observables, known entities and attack nodes in a text, without storing anything',
  tag: 'text-analysis',
  method: 'POST',
  path: '/text-analysis',
  permission: 'read entities',
  // Only reads, so that it needs no transaction.
  isDetached: true,
  body: z.object({ text: string(1, MAX_TEXT_LENGTH).describe('Plain text.') }),
  example: { text: 'On 3 March they sent mails with a malicious Excel sheet that contacted evil[.]example.' },
  result,
  run: async (ctx, { text }) => presented(ctx.baseUrl, await analyseText(ctx, text)),
})

/** The names and texts of attack nodes are as protected as the nodes themselves. */
const textAnalysis: Route = { ...analyse, endsWithClient: true, guards: () => ['read attack'] }

function presented(baseUrl: string, { observables, entities, attacks, notes }: TextAnalysis): z.output<typeof result> {
  return {
    observables: observables.map(({ isExcluded, ...observable }) => ({ ...observable, is_excluded: isExcluded })),
    entities: entities.map(({ mentions, isUnified, ...entity }) => ({
      entity: toUrl(baseUrl, 'entities', entity.id),
      ...entity,
      is_unified: isUnified,
      mentions: [...mentions],
    })),
    attacks: attacks.map(({ id, nodes, score, foundBy, evidence, ...rest }) => ({
      technique: id,
      ...rest,
      attacks: nodes.map((node) => toUrl(baseUrl, 'attacks', node)),
      score: rounded(score),
      found_by: [...foundBy],
      evidence: evidence.map(({ by, start, end, sentence, score: own, similarTo = null }) => ({
        by,
        start,
        end,
        sentence,
        score: rounded(own),
        similar_to: similarTo,
      })),
    })),
    notes: [...notes],
  }
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

export const textAnalysisRoutes: readonly Route[] = [textAnalysis]
