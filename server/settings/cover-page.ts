import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'
import { webAddress } from './values.ts'

const flag = () => z.boolean().default(false)

/** The cover page of reports. */
export const coverPage = defineSetting({
  name: 'cover-page',
  doc: 'the cover page of reports',
  schema: z.object({
    background_color: string(0, 100).default(''),
    header_sections: z.array(z.looseObject({})).max(100).default([]),
    is_different_header_enabled: flag(),
    is_enabled: flag(),
    is_show_header_enabled: flag(),
    is_show_image_enabled: flag(),
    meta: z.looseObject({}).default({}),
    url: webAddress().nullable().default(null),
  }),
})
