import { z } from 'zod'

/** Attributes that the organisation defined itself: values by name, or a list of records. */
export const customAttributes = z.union([z.looseObject({}), z.array(z.looseObject({}))], {
  error: 'must be an object or a list of objects',
})
