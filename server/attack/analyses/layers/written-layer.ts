import { z } from 'zod'
import { FORMAT } from './layer.ts'

/** Layers name only the major version of a framework. One that is a day is no version that Navigator knows. */
export const majorOf = (version: string): string => /^(\d{1,3})(?:\.|$)/.exec(version)?.[1] ?? ''

/** A version of Navigator that reads the format. */
export const NAVIGATOR = '5.1.0'

const fact = z.union([z.looseObject({ name: z.string(), value: z.string() }), z.looseObject({ divider: z.boolean() })])
const link = z.union([z.looseObject({ label: z.string(), url: z.string() }), z.looseObject({ divider: z.boolean() })])

const technique = z.looseObject({
  techniqueID: z.string(),
  tactic: z.string().optional(),
  score: z.number().optional(),
  color: z.string().optional(),
  comment: z.string().optional(),
  enabled: z.boolean().optional(),
  showSubtechniques: z.boolean().optional(),
  metadata: z.array(fact).optional(),
  links: z.array(link).optional(),
})

/** A layer in the current format, as ATT&CK Navigator reads it. */
export const writtenLayer = z.looseObject({
  name: z.string(),
  versions: z.object({ attack: z.string(), navigator: z.string(), layer: z.literal(FORMAT) }),
  domain: z.enum(['enterprise-attack', 'mobile-attack', 'ics-attack']),
  description: z.string().optional(),
  techniques: z.array(technique),
  gradient: z
    .looseObject({ colors: z.array(z.string()).min(2), minValue: z.number(), maxValue: z.number() })
    .optional(),
  legendItems: z.array(z.looseObject({ label: z.string(), color: z.string() })).optional(),
  layout: z.looseObject({}).optional(),
  filters: z.looseObject({}).optional(),
  sorting: z.int().optional(),
  metadata: z.array(fact).optional(),
  links: z.array(link).optional(),
})

export type WrittenLayer = z.output<typeof writtenLayer>
