import type { Server } from '../server.ts'
import { serverSetting } from '../settings/server.ts'
import { readSettings } from '../settings/setting.ts'
import { emailSetting } from './email-setting.ts'

/** A file attached to a mail. */
export type Attachment = NonNullable<Parameters<Sender['send']>[0]['attachments']>[number]

type Sender = Awaited<ReturnType<NonNullable<Server['mailer']>['open']>>

/** Shown when no mail can be sent. */
export const NO_MAIL =
  'No mail can be sent: the configuration of e-mail names no server and sender, or the task is not active.'

/** The sender for the configured mail server, or what the configuration lacks. */
export async function openSender({ db, vault, mailer }: Server): Promise<{ sender: Sender } | { lacks: string }> {
  const { email, server } = await readSettings(db, { email: emailSetting, server: serverSetting })
  const { host, port, security, username, from_email, reply_to } = email
  if (!mailer || host === null || from_email === null) return { lacks: NO_MAIL }
  const password = opened(vault, email.password)
  if (password === undefined) return { lacks: 'The password was sealed with another secret key: set it again.' }
  const from = { name: server.server_name, address: from_email }
  return { sender: await mailer.open({ host, port, security, username, password, from, replyTo: reply_to }) }
}

function opened(vault: Server['vault'], sealed: string | null): string | null | undefined {
  if (sealed === null) return null
  try {
    return vault.open(sealed)
  } catch {
    return undefined
  }
}
