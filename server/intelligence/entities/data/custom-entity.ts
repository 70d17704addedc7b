import { z } from 'zod'
import { customAttributes } from '../records/custom-attributes.ts'
import { dataOf } from './shared-fields.ts'

/** An entity of a type that the organisation defined itself. */
export const customEntity = dataOf('custom-entity', { custom_attributes: customAttributes }).extend({
  custom_entity_type: z.string().min(1),
})
