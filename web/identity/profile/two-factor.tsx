import { Badge, Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { selfQuery } from '../../api/self.ts'
import { Card } from '../../ui/card.tsx'
import { Faults } from '../../ui/faults.tsx'
import { useForm } from '../../ui/use-form.ts'
import { removeTwoFactor, renewRecoveryCodes } from './account.ts'
import { RecoveryCodes, TwoFactorSetUp } from './two-factor-set-up.tsx'

/** Two-factor authentication of the user: set up, disable, or renew recovery codes. */
export function TwoFactor() {
  const { data: self } = useQuery(selfQuery)
  const queries = useQueryClient()
  const [open, setOpen] = useState<'set-up' | 'codes' | 'remove' | null>(null)
  const close = () => {
    setOpen(null)
    void queries.invalidateQueries({ queryKey: selfQuery.queryKey })
  }
  if (!self) return null
  const isOn = self.two_factor_enabled
  return (
    <Card
      title="Two-factor authentication"
      description="Protects your account even if your password is stolen."
      after={
        <Badge color={isOn ? 'green' : 'gray'} variant="light">
          {isOn ? 'On' : 'Off'}
        </Badge>
      }
    >
      <Group>
        {!isOn && (
          <Button variant="default" onClick={() => setOpen('set-up')}>
            Set up
          </Button>
        )}
        {isOn && (
          <Button variant="default" onClick={() => setOpen('codes')}>
            Renew recovery codes
          </Button>
        )}
        {isOn && (
          <Button variant="light" color="red" onClick={() => setOpen('remove')}>
            Disable
          </Button>
        )}
      </Group>
      <Modal opened={open === 'set-up'} onClose={close} title="Set up two-factor authentication">
        <TwoFactorSetUp onDone={close} />
      </Modal>
      <Modal opened={open === 'codes'} onClose={close} title="New recovery codes">
        <NewCodes onDone={close} />
      </Modal>
      <Modal opened={open === 'remove'} onClose={close} title="Disable two-factor authentication">
        <ProofForm label="Disable" send={removeTwoFactor} onDone={close} />
      </Modal>
    </Card>
  )
}

function NewCodes({ onDone }: { readonly onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <ProofForm label="Create new codes" send={renewRecoveryCodes} onDone={(made) => setCodes(made.recovery_codes)} />
  )
}

interface ProofFormProps<R> {
  readonly label: string
  readonly send: (proof: { password: string; code: string }) => Promise<R>
  readonly onDone: (result: R) => void
}

function ProofForm<R>({ label, send, onDone }: ProofFormProps<R>) {
  const form = useForm({ password: '', code: '' }, send, onDone)
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.field('password')} />
        <TextInput label="Code" autoComplete="one-time-code" required {...form.field('code')} />
        <Button type="submit" loading={form.isSending}>
          {label}
        </Button>
      </Stack>
    </form>
  )
}
