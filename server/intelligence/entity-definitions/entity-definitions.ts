import { z } from 'zod'
import { bool, computed, json, name, string, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { OLDER_TYPE } from '../entities/data/vendor-sighting.ts'
import { DATA_TYPES } from '../shaping/data-types.ts'
import { entityDefinitionOperations } from './entity-definition-operations.ts'

const sent = z.object({
  custom_attribute_id: link('custom_attributes').transform(({ id }) => Number(id)),
  default_value: z.unknown().default(null).describe('The value of new entities that do not specify one.'),
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
  .refine((given) => !RESERVED.includes(given), 'is reserved')

export const entityDefinitions = defineResource({
  collection: 'entity_definitions',
  title: 'Entity definition',
  doc: 'An entity type, built-in or defined by the organisation, with its custom attributes.',
  permission: 'configurations',
  key: ['type'],
  fields: {
    name: name().describe('A label for people.'),
    type: text()
      .accepts(type)
      .required()
      .describe('The value of `data.type` or, for custom types, of `data.custom_entity_type`.'),
    description: text(0, 500).nullable(),
    attributes: json(z.array(shown)).accepts(z.array(sent).max(500).check(refuseUnstorable)).default([]),
    has_instances: computed(
      'boolean',
      z.boolean(),
      'exists (select from entities as e where entity_kind(e.type, e.data) = t.type)',
    ),
    is_custom: bool().readOnly().describe('False for built-in types, which cannot be deleted.'),
    ...stamps,
  },
  example: { name: 'Fraud case', type: 'fraud-case', description: 'A case in which money was obtained by deception.' },
  operations: entityDefinitionOperations,
})
