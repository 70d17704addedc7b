import { Modal, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/call.ts'
import type { Dashboard } from '../api/resources.ts'
import { Faults } from '../ui/faults.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { useForm } from '../ui/use-form.ts'

interface DashboardFormProps {
  /** The dashboard to edit; absent for a new one. */
  readonly dashboard?: Dashboard | undefined
  readonly onClose: () => void
  readonly onSaved: (dashboard: Dashboard) => void
}

/** Creates or edits a dashboard: its name and sharing. */
export function DashboardForm({ dashboard, onClose, onSaved }: DashboardFormProps) {
  const [isShared, setIsShared] = useState(dashboard?.is_shared_with_all ?? false)
  const [isProtected, setIsProtected] = useState(dashboard?.is_protected ?? false)
  const form = useForm(
    { name: dashboard?.name ?? '', description: dashboard?.description ?? '' },
    async (values) => {
      const data = { ...values, is_shared_with_all: isShared, is_protected: isProtected }
      const path = dashboard ? `dashboards/${dashboard.id}` : 'dashboards'
      return (await call<{ data: Dashboard }>(dashboard ? 'PATCH' : 'POST', path, { data })).data
    },
    onSaved,
  )
  return (
    <Modal opened onClose={onClose} title={dashboard ? `Edit ${dashboard.name}` : 'New dashboard'}>
      <form onSubmit={form.onSubmit}>
        <Stack>
          <Faults texts={form.faults.others} />
          <TextInput label="Name" required data-autofocus {...form.field('name')} />
          <Textarea label="Description" autosize minRows={2} {...form.field('description')} />
          <Switch
            label="Share with all users who can read dashboards"
            checked={isShared}
            onChange={({ currentTarget: { checked } }) => setIsShared(checked)}
          />
          <Switch
            label="Only the creator can change it"
            checked={isProtected}
            onChange={({ currentTarget: { checked } }) => setIsProtected(checked)}
          />
          <FormActions
            submit={dashboard ? 'Save changes' : 'Create dashboard'}
            isSending={form.isSending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}
