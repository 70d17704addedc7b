import { Button, Checkbox, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate } from '../../api/invalidate.ts'
import { TLP_OPTIONS } from '../../domain/tlp.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { sizeInWords } from '../../ui/size-in-words.ts'
import { type Detonator, detonatorsQuery } from '../detonators/detonator-queries.ts'
import { DetonatorChoice } from './detonator-choice.tsx'
import { blockedBy, isAbove, kindOf, nameOfSample, type Sample, submitSample, tlpOfSample } from './sample.ts'
import { SampleChoice } from './sample-choice.tsx'
import { optionInputs, optionsOf, SubmissionOptions, textsOf } from './submission-options.tsx'
import { Submitted } from './submitted.tsx'

interface DetonateDialogProps {
  /** What is submitted; the user selects a file or enters a URL if it is not given. */
  readonly sample?: Sample | undefined
  readonly onClose: () => void
}

/** Chooses detonators for a sample, submits it and follows the detonations. */
export function DetonateDialog({ sample: given, onClose }: DetonateDialogProps) {
  const [sample, setSample] = useState(given)
  // How many samples a detonator has received today may be old.
  const detonators = useQuery({ ...detonatorsQuery, refetchOnMount: 'always' })
  return (
    <Modal opened onClose={onClose} title={sample ? `Detonate ${nameOfSample(sample)}` : 'Detonate sample'} size="lg">
      <Stack>
        {!sample && <SampleChoice onSample={setSample} />}
        <LoadFault query={detonators} />
        {sample && detonators.isPending && <Skeleton h={200} role="status" aria-label="Loading detonators" />}
        {sample && detonators.data && (
          <Chooser
            sample={sample}
            detonators={detonators.data.data}
            onClose={onClose}
            onOther={given ? undefined : () => setSample(undefined)}
          />
        )}
      </Stack>
    </Modal>
  )
}

interface ChooserProps {
  readonly sample: Sample
  readonly detonators: readonly Detonator[]
  readonly onClose: () => void
  /** Selects another sample. */
  readonly onOther: (() => void) | undefined
}

function Chooser({ sample, detonators, onClose, onOther }: ChooserProps) {
  const kind = kindOf(sample)
  const known = tlpOfSample(sample)
  const [tlp, setTlp] = useState(known ?? '')
  const usable = detonators.filter((each) => blockedBy(each, kind, tlp || null) === undefined)
  const [picked, setPicked] = useState<ReadonlySet<number> | null>(null)
  const ready = usable.filter(({ is_consented }) => is_consented)
  const before = sample.via === 'detonation' ? sample : undefined
  const likely = ready.length === 1 ? ready : ready.filter(({ id }) => id === before?.detonator)
  const chosen = picked ?? new Set(likely.map(({ id }) => id))
  const wanted = ready.filter(({ id }) => chosen.has(id))
  const [changed, setTexts] = useState<Readonly<Record<string, string>>>({})
  const fields = optionInputs(wanted, kind)
  const again = wanted.find(({ id }) => id === before?.detonator)
  const texts = { ...(again && before && textsOf(fields, before.options)), ...changed }
  const reporter = before?.resultAt === undefined ? undefined : again
  const [isAnew, setIsAnew] = useState(true)
  const isForced = reporter !== undefined && isAnew
  const submitted = useMutation({
    mutationFn: () =>
      submitSample(sample, {
        detonators: wanted.map(({ id }) => id),
        tlp,
        options: optionsOf(fields, texts),
        isForced,
      }),
    onSuccess: () => invalidate('detonations', 'detonators'),
  })
  if (submitted.data)
    return (
      <Submitted
        detonations={submitted.data}
        onForce={async (detonator) => {
          const options = optionsOf(
            optionInputs(
              wanted.filter(({ id }) => id === detonator),
              kind,
            ),
            texts,
          )
          const [made] = await submitSample(sample, { detonators: [detonator], tlp, options, isForced: true })
          await invalidate('detonations', 'detonators')
          return made
        }}
        onClose={onClose}
      />
    )
  if (detonators.length === 0)
    return (
      <EmptyState title="No detonators" action={<PageLink to="/detonators">Set up a detonator</PageLink>}>
        A detonator submits samples to a sandbox.
      </EmptyState>
    )
  const { fields: faults, others } = sortFaults(submitted.error, [
    ...fields.map(({ name }) => `options.${name}`),
    'tlp_color',
    'detonation',
  ])
  const problems = [
    ...(faults.detonation ? [`Detonating again is not possible: ${faults.detonation}.`] : []),
    ...others,
  ]
  return (
    <>
      <WhatIsSent sample={sample} isForced={isForced} onOther={onOther} />
      {reporter && (
        <SubmitAgain detonator={reporter} resultAt={before?.resultAt ?? null} isAnew={isAnew} onChange={setIsAnew} />
      )}
      <Select
        label="TLP of the sample"
        description="Detonators receive nothing above their maximum. The colour cannot be lower than that of the object."
        placeholder={PLACEHOLDERS[sample.via] ?? 'Not marked'}
        data={TLP_OPTIONS.map((option) => ({ ...option, disabled: isAbove(known, option.value) }))}
        clearable={known === null}
        value={tlp || null}
        error={faults.tlp_color}
        onChange={(value) => setTlp(value ?? '')}
      />
      <DetonatorChoice detonators={detonators} kind={kind} tlp={tlp || null} chosen={chosen} onChoose={setPicked} />
      {usable.length === 0 && (
        <Text size="sm">
          No detonator can receive this sample now. <PageLink to="/detonators">Set up a detonator</PageLink>
        </Text>
      )}
      <SubmissionOptions fields={fields} texts={texts} faults={faults} onChange={setTexts} />
      <Faults texts={problems} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={submitted.isPending} disabled={wanted.length === 0} onClick={() => submitted.mutate()}>
          Detonate
        </Button>
      </Group>
    </>
  )
}

interface SubmitAgainProps {
  /** Which has a result. */
  readonly detonator: Detonator
  readonly resultAt: string | null
  readonly isAnew: boolean
  readonly onChange: (isAnew: boolean) => void
}

/** Asks whether a sample is submitted although there is a result. */
const SubmitAgain = ({ detonator, resultAt, isAnew, onChange }: SubmitAgainProps) => (
  <Checkbox
    label="Submit again although there is a result"
    description={
      <>
        {detonator.task_name} reported on this sample on <Moment at={resultAt} />. A new submission counts against its
        limit per day. Otherwise you get that result while it is valid for the same options.
      </>
    }
    checked={isAnew}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)

/** What colour samples have of which the page knows none. */
const PLACEHOLDERS: Partial<Record<Sample['via'], string>> = {
  observable: 'That of its entities',
  detonation: 'The same as before',
}

interface WhatIsSentProps extends Pick<ChooserProps, 'sample' | 'onOther'> {
  /** Whether it is submitted even if the sandbox knows it. */
  readonly isForced: boolean
}

/** What leaves the platform. */
function WhatIsSent({ sample, isForced, onOther }: WhatIsSentProps) {
  const size = sample.via === 'upload' ? ` (${sizeInWords(sample.file.size)})` : ''
  return (
    <div>
      <Text size="sm" fw={600}>
        What is sent
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {kindOf(sample) === 'url' ? 'The URL ' : 'The file '}
        <Text component="span" inherit className="code">
          {nameOfSample(sample)}
        </Text>
        {size}
        {kindOf(sample) === 'url'
          ? ', which the sandbox opens.'
          : isForced
            ? ' with its name, even if the sandbox knows the file.'
            : ' with its name. The sandbox is first asked for its hash: if it knows the file, nothing is sent.'}
      </Text>
      {onOther && (
        <Button size="compact-xs" variant="default" mt={4} onClick={onOther}>
          Select another sample
        </Button>
      )}
    </div>
  )
}
