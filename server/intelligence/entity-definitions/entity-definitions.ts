import { z } from 'zod'
import { bool, computed, json, name, string, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { OLDER_TYPE } from '../entities/data/vendor-sighting.ts'
import { DATA_TYPES } from '../shaping/data-types.ts'
import { operations } from './operations.ts'

const sent = z.object({
  custom_attribute_id: link('custom_attributes').transform(({ id }) => Number(id)),
  default_value: z.unknown().default(null).describe('What new entities have that do not say otherwise.'),
})

const shown = z.object({
  id: z.int(),
  custom_attribute_id: z.int(),
  default_value: z.unknown(),
  attribute: z.object({
    id: z.int(),
    name: z.string(),
    data_type: z.enum(DATA_TYPES),
    allowed_values: z.array(z.unknown()).nullable(),
    description: z.string().nullable(),
    display_name: z.string().nullable(),
  }),
})

const RESERVED = ['custom-entity', OLDER_TYPE]

const type = string(1, 500)
  .refine((given) => given === given.trim(), 'must not begin or end with white space')
  .refine((given) => !RESERVED.includes(given), 'is a name that entities go by anyway')

export const entityDefinitions = defineResource({
  collection: 'entity_definitions',
  title: 'Entity definition',
  doc: 'A type of entities, one of the platform or one that the organisation made, and the custom attributes that it has.',
  permission: 'configurations',
  key: ['type'],
  fields: {
    name: name().describe('What people call it.'),
    type: text()
      .accepts(type)
      .required()
      .describe('What entities have in `data.type`, or, if they are of a custom type, in `data.custom_entity_type`.'),
    description: text(0, 500).nullable(),
    attributes: json(z.array(shown)).accepts(z.array(sent).max(500).check(refuseUnstorable)).default([]),
    has_instances: computed(
      'boolean',
      z.boolean(),
      'exists (select from entities as e where entity_kind(e.type, e.data) = t.type)',
    ),
    is_custom: bool().readOnly().describe('False for the types of the platform, which cannot be deleted.'),
    ...stamps,
  },
  example: { name: 'Fraud case', type: 'fraud-case', description: 'Somebody was tricked out of money.' },
  operations,
})
