import { z } from 'zod'
import { attackMotivation, attackResourceLevel } from '../records/motivation.ts'
import { eitherOf, words } from '../records/shape.ts'
import { dataOf, seen } from './shared-fields.ts'

const motivation = eitherOf(z.string(), attackMotivation)

/** Behaviour and resources that seem to belong to one organisation. */
export const intrusionSet = dataOf('intrusion-set', {
  aliases: words,
  goals: words,
  resource_level: eitherOf(z.string(), attackResourceLevel),
  primary_motivation: motivation,
  secondary_motivations: z.array(motivation),
  ...seen,
})
