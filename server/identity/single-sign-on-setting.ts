import { z } from 'zod'
import { defineSetting } from '../settings/setting.ts'

/** What holds for signing in, whatever the identity provider. */
export const singleSignOn = defineSetting({
  name: 'single-sign-on',
  doc: 'whether passwords are taken beside identity providers',
  schema: z.object({
    password_sign_in_enabled: z
      .boolean()
      .default(true)
      .describe('When false, nobody can sign in with a password while there is another way.'),
  }),
})
