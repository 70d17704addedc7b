import { z } from 'zod'
import { computed, json, oneOf, string, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { DATA_TYPES, dataTypes } from '../shaping/data-types.ts'
import { mappingRoutes } from './mappings.ts'
import { isFreeName } from './names.ts'
import { operations } from './operations.ts'

const value = z.union([z.string(), z.number(), z.boolean()], { error: 'must be a text, a number, true or false' })

const allowed = z
  .array(value)
  .min(1)
  .max(1000)
  .superRefine((values, check) => {
    for (const [i, one] of values.entries()) {
      if (values.indexOf(one) < i) check.addIssue({ code: 'custom', path: [i], message: 'is there already' })
    }
  })
  .check(refuseUnstorable)

export const customAttributes = defineResource({
  collection: 'custom_attributes',
  title: 'Custom attribute',
  doc: 'Something that the organisation wants to know of its entities. Entity definitions say which types have it.',
  permission: 'configurations',
  key: ['name'],
  fields: {
    name: text()
      .accepts(
        string(1, 100)
          .regex(
            /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
            'must begin with a letter or digit, and have letters, digits, _ and - only',
          )
          .refine(isFreeName, 'is a field that entities have anyway'),
      )
      .required()
      .describe('Where its values stand in the `data` of entities.'),
    data_type: oneOf(DATA_TYPES)
      .required()
      .describe(DATA_TYPES.map((type) => `${type}: ${dataTypes[type].doc}.`).join(' ')),
    allowed_values: json(allowed)
      .nullable()
      .describe('Values are one of these, items of lists too; null where any value of the type is good.'),
    description: text(0, 500).nullable(),
    display_name: text(0, 500).nullable().describe('What people call it; null where the name will do.'),
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
    description: 'How much of us can be reached from outside.',
    display_name: 'Exposure',
  },
  operations,
  routes: mappingRoutes,
})
