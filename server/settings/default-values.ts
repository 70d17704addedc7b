import { z } from 'zod'
import { LANGUAGES } from '../domain/languages.ts'
import { TLP, tlpOf } from '../domain/tlp.ts'
import { serverSetting } from './server.ts'
import { defineSetting, readSetting } from './setting.ts'

/** Default values for new entities, and the language of reports. */
export const defaultValues = defineSetting({
  name: 'default-values',
  doc: 'default values for new entities, and the language of written content',
  schema: z.object({
    entity: z
      .object({
        confidence: z.enum(['unknown', 'none', 'low', 'medium', 'high']).nullable().default(null),
        tlp: z
          .enum([...TLP, 'CLEAR', 'AMBER_STRICT'])
          .nullable()
          .default(null),
      })
      .prefault({}),
    language: z.enum(LANGUAGES).default('English'),
  }),
  toStored: async ({ db }, value) => {
    const { tlp } = value.entity
    if (tlp === null) return value
    const { tlp_amber_strict_downgrade } = await readSetting(db, serverSetting)
    return { ...value, entity: { ...value.entity, tlp: tlpOf(tlp, tlp_amber_strict_downgrade) } }
  },
})
