import { z } from 'zod'
import { change } from '../../../intelligence/by-query/payloads.ts'
import { CHANGE_OUTCOMES, changeEntity } from '../acting/change-entity.ts'
import { defineStep } from '../step.ts'

const parameters = z
  .object({
    tlp_color: change.tlp_color.describe('The colour to set. Without it, the colour stays.'),
    confidence: change.confidence.describe('The confidence to set. Without it, the confidence stays.'),
  })
  .refine(
    ({ tlp_color, confidence }) => tlp_color !== undefined || confidence !== undefined,
    'needs a tlp_color or a confidence',
  )

/** Sets the TLP colour or the confidence of the entity. */
export const set = defineStep({
  kind: 'set',
  title: 'Set colour or confidence',
  description: 'Sets the TLP colour or the confidence of the entity.',
  outcomes: CHANGE_OUTCOMES,
  collections: ['entities'],
  parameters,
  templates: [],
  permissions: () => ['read entities', 'modify entities'],
  act: changeEntity,
})
