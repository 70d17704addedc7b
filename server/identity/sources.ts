import { z } from 'zod'
import { computed, name, oneOf, timestamp } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { readOnly } from '../engine/standard.ts'

const TYPES = ['group', 'incoming_feed', 'enricher', 'detonator'] as const

export const sources = defineResource({
  collection: 'sources',
  title: 'Source',
  doc: 'Where intelligence comes from. A source is created and deleted together with its group, feed, enricher or detonator.',
  key: ['id'],
  fields: {
    name: name().readOnly(),
    type: oneOf(TYPES).readOnly(),
    source_type: computed('text', z.enum(TYPES), 't.type').describe('Same as `type`.'),
    created_at: timestamp().stamped('created-at'),
    last_updated_at: timestamp().stamped('updated-at'),
  },
  operations: readOnly,
})
