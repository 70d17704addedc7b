import { Alert, Anchor, Button, Group, Paper, Radio, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { CollectionModel } from '../../generic/collections.ts'
import { FieldsForm } from '../../generic/fields-form.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { generatePassword } from './generate-password.ts'

interface User {
  readonly id: number
  readonly username: string
}

/** The fields of the form, in this order; all others have good defaults. */
const FIELDS = ['username', 'email', 'firstname', 'lastname', 'roles', 'groups', 'timezone']

type Way = 'password' | 'mail'

interface CreatedUser {
  readonly user: User
  readonly password?: string
  /** Why the invitation could not be sent. */
  readonly refusal?: unknown
}

/** Creates a user, who gets a one-time password or an invitation by mail. */
export function NewUser({ model }: { readonly model: CollectionModel }) {
  const [way, setWay] = useState<Way>('password')
  const [made, setMade] = useState<CreatedUser>()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const fields = FIELDS.flatMap((name) => model.inputs.find((field) => field.name === name) ?? [])
  const send = async (data: Readonly<Record<string, unknown>>): Promise<CreatedUser> => {
    if (way === 'mail') return invited(await post(data))
    const password = generatePassword()
    return { user: await post({ ...data, password, must_change_password: true }), password }
  }
  const done = (result: CreatedUser) => {
    void queries.invalidateQueries({ queryKey: [model.path] })
    showToast(`User ${result.user.username} created`)
    if (result.password || result.refusal) setMade(result)
    else void navigate({ to: `/admin/users/${result.user.id}` })
  }
  return (
    <>
      <PageHead
        title="New user"
        description={
          <>
            <Anchor component={Link} to="/admin/users" inherit underline="always">
              Users
            </Anchor>
            : roles grant permissions, groups determine what a user can see.
          </>
        }
      />
      <Paper withBorder p="lg" maw={760}>
        {made ? (
          <Welcome made={made} />
        ) : (
          <FieldsForm
            fields={fields}
            submit="Create user"
            send={send}
            onDone={done}
            onCancel={() => void navigate({ to: `/admin/${model.slug}` })}
          >
            <Radio.Group
              label="First sign-in"
              value={way}
              onChange={(value) => setWay(value as Way)}
              name="first-sign-in"
            >
              <Stack gap="xs" mt="xs">
                <Radio
                  value="password"
                  label="Generate a password"
                  description="It is shown once. The user must change it at first sign-in."
                />
                <Radio
                  value="mail"
                  label="Send an invitation link by email"
                  description="Requires an email address and a configured mail server."
                />
              </Stack>
            </Radio.Group>
          </FieldsForm>
        )}
      </Paper>
    </>
  )
}

const post = async (data: Readonly<Record<string, unknown>>): Promise<User> =>
  (await call<{ data: User }>('POST', 'users', { data })).data

/** The user exists even if the mail could not be sent: the error is shown, and the invitation can be repeated. */
async function invited(user: User): Promise<CreatedUser> {
  try {
    await call('POST', `users/${user.id}/invite`)
    return { user }
  } catch (refusal) {
    return { user, refusal }
  }
}

function Welcome({ made: { user, password, refusal } }: { readonly made: CreatedUser }) {
  return (
    <Stack>
      {password && (
        <>
          <Text>
            {user.username} can sign in once with this password and must then change it. It will not be shown again.
          </Text>
          <CopyText label="Password" text={password} />
        </>
      )}
      {refusal !== undefined && (
        <Alert color="yellow" title="User created, but the invitation could not be sent">
          <ErrorFaults error={refusal} />
        </Alert>
      )}
      <Group>
        <Button component={Link} to={`/admin/users/${user.id}`}>
          Open {user.username}
        </Button>
        <Button component={Link} to="/admin/users" variant="default">
          Show all users
        </Button>
      </Group>
    </Stack>
  )
}
