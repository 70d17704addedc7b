import { z } from 'zod'
import { isTimeZone } from '../domain/locales.ts'
import { defineSetting } from './setting.ts'

const flag = () => z.boolean().default(false)

/** The name and address of the installation, and the lifetime of browser sessions. */
export const serverSetting = defineSetting({
  name: 'server',
  doc: 'the name and address of the installation, and the lifetime of browser sessions',
  required: ['server_name', 'timezone'],
  schema: z.object({
    server_name: z.string().min(1).max(200).default('Corvus'),
    timezone: z.string().refine(isTimeZone, 'must be a time zone identifier such as Europe/Amsterdam').default('UTC'),
    ai_providers_usage_consented: flag(),
    feature_flags: z
      .object({
        inactive_entities_enabled: flag(),
        is_terminology_customization_enabled: flag(),
        property_propagation: flag(),
      })
      .prefault({}),
    jwt_expiration_delta: z
      .int()
      .min(60)
      .max(1_324_512_000)
      .default(86_400)
      .describe('Seconds until a browser session ends, even if it is active.'),
    session_inactivity_timeout: z
      .int()
      .min(60)
      .max(86_400)
      .default(3600)
      .describe('Seconds of inactivity until a browser session ends.'),
    organization_logo: z.string().max(1_000_000).default(''),
    organization_name: z.string().max(500).default(''),
    taxii_server_name: z.string().max(500).default(''),
    tlp_amber_strict_downgrade: z.enum(['RED', 'AMBER']).default('RED'),
    ui_theme: z.enum(['user', 'teal', 'lavender', 'dutch-blue', 'ruby-red']).default('user'),
  }),
})
