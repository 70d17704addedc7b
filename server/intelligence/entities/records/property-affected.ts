import { z } from 'zod'
import { recordOf } from './shape.ts'
import { term } from './vocabulary.ts'

/** What an attack did to a property of an asset, such as its availability. */
export const propertyAffected = recordOf(
  {},
  {
    type: z.string(),
    property: term,
    description_of_effect: z.string(),
    type_of_availability_loss: term,
    duration_of_availability_loss: term,
    non_public_data_compromised: term,
  },
)
