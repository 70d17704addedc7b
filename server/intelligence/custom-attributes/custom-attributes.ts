import { z } from 'zod'
import { computed, json, oneOf, string, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { DATA_TYPES, dataTypes } from '../shaping/data-types.ts'
import { customAttributeOperations } from './custom-attribute-operations.ts'
import { mappingRoutes } from './mappings.ts'
import { isFreeName } from './names.ts'

const value = z.union([z.string(), z.number(), z.boolean()], { error: 'must be a string, number or boolean' })

const allowed = z
  .array(value)
  .min(1)
  .max(1000)
  .superRefine((values, check) => {
    for (const [i, one] of values.entries()) {
      if (values.indexOf(one) < i) check.addIssue({ code: 'custom', path: [i], message: 'is listed twice' })
    }
  })
  .check(refuseUnstorable)

export const customAttributes = defineResource({
  collection: 'custom_attributes',
  title: 'Custom attribute',
  doc: 'An additional property of entities, defined by the organisation. Entity definitions specify which types have it.',
  permission: 'configurations',
  key: ['name'],
  fields: {
    name: text()
      .accepts(
        string(1, 100)
          .regex(
            /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
            'must start with a letter or digit and contain only letters, digits, _ and -',
          )
          .refine(isFreeName, 'is already a field of entities'),
      )
      .required()
      .describe('The property in `data` of entities that holds its values.'),
    data_type: oneOf(DATA_TYPES)
      .required()
      .describe(DATA_TYPES.map((type) => `${type}: ${dataTypes[type].doc}.`).join(' ')),
    allowed_values: json(allowed)
      .nullable()
      .describe('The values, or for lists the items, that are allowed. Null allows every value of the type.'),
    description: text(0, 500).nullable(),
    display_name: text(0, 500).nullable().describe('A label for people. Null if the name is enough.'),
    is_used_in_entity_schema: computed(
      'boolean',
      z.boolean(),
      `exists (
        select from entity_definitions as d
        where d.attributes @> jsonb_build_array(jsonb_build_object('custom_attribute_id', t.id)))`,
    ),
    ...stamps,
  },
  example: {
    name: 'exposure_level',
    data_type: 'string',
    allowed_values: ['low', 'medium', 'high'],
    description: 'How much of our infrastructure can be reached from the internet.',
    display_name: 'Exposure',
  },
  operations: customAttributeOperations,
  routes: (standard) => [...mappingRoutes, ...standard],
})
