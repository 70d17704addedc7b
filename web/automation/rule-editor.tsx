import { Box, Grid, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ComponentType, type FormEvent, type ReactNode, useMemo } from 'react'
import { oneQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { LeaveGuard } from '../forms/leave-guard.tsx'
import { Faults } from '../ui/faults.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { LoadFault } from '../ui/load-fault.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { nounOf, type Rule, type RuleKind } from './rule-kind.ts'

interface RuleFormPageProps<R> {
  readonly kind: RuleKind
  readonly form: ComponentType<{ readonly rule?: R }>
}

/** The page for a new rule. */
export function NewRulePage<R>({ kind: { title, permission }, form: Form }: RuleFormPageProps<R>) {
  if (useMay()(`modify ${permission}`)) return <Form />
  return (
    <>
      <PageHead title={title} />
      <NoPermission permission={`modify ${permission}`} />
    </>
  )
}

/** The page that changes a rule. */
export function EditRulePage<R>({ kind: { path, title, permission }, form: Form }: RuleFormPageProps<R>) {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const mayChange = useMay()(`modify ${permission}`)
  const rule = useQuery({ ...oneQuery<R>(`${path}/${id}`), enabled: mayChange })
  if (mayChange && rule.data) return <Form key={id} rule={rule.data} />
  if (mayChange && !rule.error) return <Skeleton h={300} role="status" aria-label="Loading" />
  return (
    <>
      <PageHead title={title} />
      {mayChange ? <LoadFault query={rule} /> : <NoPermission permission={`modify ${permission}`} />}
    </>
  )
}

interface RuleEditorProps {
  readonly kind: RuleKind
  /** The rule to edit; absent for a new one. */
  readonly rule?: Rule | undefined
  readonly form: {
    readonly fields: Readonly<Record<string, string>>
    readonly others: readonly string[]
    readonly isSending: boolean
    readonly isChanged: () => boolean
    readonly onSubmit: (event: FormEvent) => void
  }
  /** The inputs. */
  readonly children: ReactNode
  /** Buttons at the head of the page. */
  readonly actions?: ReactNode
  /** What the rule would do, next to the inputs. */
  readonly preview: ReactNode
}

/** The page that creates or changes a rule: inputs on the left, a live preview on the right, below them on narrow windows. */
export function RuleEditor({ kind, rule, form, children, preview, actions }: RuleEditorProps) {
  const navigate = useNavigate()
  const back = rule ? `${kind.page}/${rule.id}` : kind.page
  const formId = `form-${kind.permission}`
  useShortcuts(useMemo(() => [{ keys: 'Ctrl+S', label: 'Save', run: () => submitForm(formId) }], [formId]))
  const hasFaults = Object.keys(form.fields).length > 0
  return (
    <>
      <PageLink to={back} size="xs">
        {rule ? rule.name : kind.title}
      </PageLink>
      <PageHead title={rule ? `Edit ${kind.one}` : `New ${kind.one}`} actions={actions} />
      <LeaveGuard isChanged={() => form.isChanged()} />
      <Grid gap="lg" align="flex-start">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="lg">
            {/* The server validates more strictly than browsers do, and its errors are shown at the field. */}
            <form id={formId} onSubmit={form.onSubmit} noValidate>
              <Stack>
                <Faults texts={form.others} />
                {children}
                {hasFaults && (
                  <Text size="sm" c="var(--mantine-color-error)" role="alert">
                    Correct the highlighted fields.
                  </Text>
                )}
                <FormActions
                  submit={rule ? 'Save changes' : `Create ${nounOf(kind)}`}
                  isSending={form.isSending}
                  onCancel={() => void navigate({ to: back })}
                />
              </Stack>
            </form>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Box
            pos={{ base: 'static', md: 'sticky' }}
            top={66}
            mah={{ md: 'calc(100vh - 82px)' }}
            style={{ overflow: 'auto' }}
          >
            {preview}
          </Box>
        </Grid.Col>
      </Grid>
    </>
  )
}

function submitForm(id: string): void {
  const form = document.getElementById(id)
  if (form instanceof HTMLFormElement) form.requestSubmit()
}
