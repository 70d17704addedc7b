import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import { refuseUnstorable } from '../../../engine/storable.ts'
import type { Matrix } from '../../frameworks/framework.ts'

/** Layers of ATT&CK Navigator: techniques with scores, colours and comments, as files that its users exchange. */

const MAX_TECHNIQUES = 20_000
const MAX_LISTED = 1000
/** Layers have five levels. Members that Corvus does not know may have more. */
const MAX_DEPTH = 20
export const MAX_COMMENT_LENGTH = 100_000

/** The format that is written. */
export const FORMAT = '4.5'
export const FORMATS = [
  '1.0',
  '1.1',
  '1.2',
  '1.3',
  '2.0',
  '2.1',
  '2.2',
  '3.0',
  '4.0',
  '4.1',
  '4.2',
  '4.3',
  '4.4',
  FORMAT,
]

/** The matrix of each domain of Navigator. DISARM is none of its domains. */
export const DOMAINS: Readonly<Record<string, Matrix>> = {
  'enterprise-attack': 'enterprise-attack',
  'mobile-attack': 'mobile-attack',
  'ics-attack': 'ics-attack',
  'mitre-enterprise': 'enterprise-attack',
  'mitre-mobile': 'mobile-attack',
  'mitre-ics': 'ics-attack',
}

const short = string(0, 1000)
const long = string(0, MAX_COMMENT_LENGTH)
const flag = z.boolean().optional()
const colour = string(0, 100).optional()

const facts = z
  .array(z.looseObject({ name: short.optional(), value: long.optional(), divider: flag }))
  .max(MAX_LISTED)
  .optional()
const links = z
  .array(z.looseObject({ label: short.optional(), url: string(0, 10_000).optional(), divider: flag }))
  .max(MAX_LISTED)
  .optional()

const technique = z.looseObject({
  techniqueID: string(1, 100),
  tactic: string(0, 100).optional(),
  score: z.number().optional(),
  color: colour,
  comment: long.optional(),
  enabled: flag,
  showSubtechniques: flag,
  metadata: facts,
  links,
})

/** What a layer says of a technique in one tactic, or in all its tactics. */
export type LayerTechnique = z.output<typeof technique>

/** A level of a document that is deeper than any layer. */
const refuseDepth: z.core.CheckFn<unknown> = ({ value, issues }) => {
  if (isDeeper(value, MAX_DEPTH))
    issues.push({
      code: 'custom',
      input: value,
      path: [],
      message: `must not be nested deeper than ${MAX_DEPTH} levels`,
    })
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

/** The members of a layer besides its name, format and domain. Those that are not listed are kept as they are. */
const settings = {
  description: string(0, MAX_COMMENT_LENGTH).optional(),
  techniques: z.array(technique).max(MAX_TECHNIQUES).optional(),
  filters: z.looseObject({}).optional(),
  layout: z.looseObject({}).optional(),
  sorting: z.int().optional(),
  hideDisabled: flag,
  gradient: z
    .looseObject({
      colors: z.array(string(0, 100)).max(MAX_LISTED).optional(),
      minValue: z.number().optional(),
      maxValue: z.number().optional(),
    })
    .optional(),
  legendItems: z
    .array(z.looseObject({ label: short.optional(), color: colour }))
    .max(MAX_LISTED)
    .optional(),
  metadata: facts,
  links,
  showTacticRowBackground: flag,
  tacticRowBackground: colour,
  selectTechniquesAcrossTactics: flag,
  selectSubtechniquesWithParent: flag,
  selectVisibleTechniques: flag,
}

const domain = z.string().transform((value, check): Matrix => {
  const matrix = Object.hasOwn(DOMAINS, value) ? DOMAINS[value] : undefined
  if (matrix) return matrix
  const shown = value.slice(0, 40)
  const message = /^disarm$/i.test(value)
    ? 'must be a domain of ATT&CK Navigator. DISARM is none, so that a layer of it cannot be read'
    : `must be one of ${Object.keys(DOMAINS).join(', ')}, not '${shown}'`
  check.addIssue({ code: 'custom', message })
  return z.NEVER
})

const format = z.union([z.string(), z.number()], { error: 'must be a text' }).transform((value, check): string => {
  const text = /^\d{1,2}(\.\d{1,2})?$/.test(String(value)) ? Number(value).toFixed(1) : ''
  if (FORMATS.includes(text)) return text
  check.addIssue({
    code: 'custom',
    message: `must be a format from ${FORMATS[0]} to ${FORMAT}, not '${String(value).slice(0, 40)}'`,
  })
  return z.NEVER
})

/** A layer as it is sent. Until format 4.0, `version` was what `versions.layer` is since. */
export const sentLayer = z
  .looseObject({
    name: string(1, 500),
    domain,
    version: format.optional(),
    versions: z
      .looseObject({ layer: format.optional(), attack: short.optional(), navigator: short.optional() })
      .optional(),
    ...settings,
  })
  .check(refuseDepth, refuseUnstorable, ({ value, issues }) => {
    if (value.version !== undefined || value.versions?.layer !== undefined) return
    issues.push({ code: 'custom', input: value, path: ['versions', 'layer'], message: 'is required' })
  })

export type SentLayer = z.output<typeof sentLayer>

/** A layer as an analysis keeps it, in the terms of the current format. The comments of known techniques are annotations. */
export const keptLayer = z.looseObject({ name: string(1, 500), domain, ...settings }).check(refuseDepth)

export type KeptLayer = z.output<typeof keptLayer>
