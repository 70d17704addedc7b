import { Avatar, Button, Group, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { endlessQuery, idOf } from '../api/lists.ts'
import { nameOf, useNames } from '../api/names.ts'
import { selfQuery } from '../api/self.ts'
import { useMay } from '../api/session.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { ErrorFaults, Faults } from '../ui/faults.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { Moment } from '../ui/moment.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useForm } from '../ui/use-form.ts'

interface Comment {
  readonly id: number
  readonly text: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
}

interface CommentsProps {
  /** The object that is commented on, such as `tickets/7`. */
  readonly of: string
  /** The object type in the permissions that are needed (`read …`, `modify …`). */
  readonly permission: 'ticket-comments' | 'workspace-comments'
}

/** The comments on an object, oldest first, with a form to add one. */
export function Comments({ of, permission }: CommentsProps) {
  const may = useMay()
  const path = `${of}/comments`
  const list = useInfiniteQuery({ ...endlessQuery<Comment>(path, { limit: 50 }), enabled: may(`read ${permission}`) })
  const comments = list.data?.pages.flatMap(({ data }) => data)
  if (!may(`read ${permission}`)) return null
  return (
    <Stack gap="sm" component="section" aria-label="Comments">
      <Title order={2} size="h4">
        Comments
      </Title>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={60} role="status" aria-label="Loading comments" />}
      {comments?.length === 0 && (
        <Text c="dimmed" size="sm">
          No comments yet.
        </Text>
      )}
      {comments?.map((comment) => (
        <CommentItem key={comment.id} comment={comment} path={path} mayWrite={may(`modify ${permission}`)} />
      ))}
      <ListEnd list={list} />
      {may(`modify ${permission}`) && <NewComment path={path} />}
    </Stack>
  )
}

function NewComment({ path }: { readonly path: string }) {
  const form = useForm(
    { text: '' },
    ({ text }) => call('POST', path, { data: { text } }),
    () => {
      form.reset()
      void invalidate(path)
    },
  )
  return <CommentForm form={form} label="New comment" send="Add comment" />
}

interface CommentItemProps {
  readonly comment: Comment
  readonly path: string
  readonly mayWrite: boolean
}

function CommentItem({ comment, path, mayWrite }: CommentItemProps) {
  const may = useMay()
  const { data: self } = useQuery(selfQuery)
  const users = useNames('users')
  const [isEdited, setIsEdited] = useState(false)
  const isOwn = comment.created_by !== null && idOf(comment.created_by) === String(self?.id)
  const author = isOwn
    ? (self?.username ?? '')
    : comment.created_by === null
      ? 'Unknown user'
      : nameOf(users, comment.created_by)
  const remove = async () => {
    await call('DELETE', `${path}/${comment.id}`)
    await invalidate(path)
  }
  return (
    <Group align="flex-start" wrap="nowrap" gap="sm" component="article" aria-label={`Comment by ${author}`}>
      <Avatar size={28} radius="xl" name={author} color="initials" aria-hidden="true" />
      <Stack gap={2} flex={1} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {author}
          </Text>
          <Text size="xs" c="dimmed">
            <Moment at={comment.created_at} />
            {comment.last_updated_at !== comment.created_at && ' (edited)'}
          </Text>
          {mayWrite && isOwn && !isEdited && (
            <Button size="compact-xs" variant="subtle" onClick={() => setIsEdited(true)}>
              Edit
            </Button>
          )}
          {mayWrite && (isOwn || may('modify users')) && (
            <ConfirmButton
              label="Delete"
              title="Delete this comment?"
              confirm="Delete"
              onConfirm={remove}
              button={{ size: 'compact-xs', variant: 'subtle' }}
            >
              This cannot be undone.
            </ConfirmButton>
          )}
        </Group>
        {isEdited ? (
          <EditComment comment={comment} path={path} onDone={() => setIsEdited(false)} />
        ) : (
          <Text size="sm">
            <PlainText text={comment.text} />
          </Text>
        )}
      </Stack>
    </Group>
  )
}

interface EditCommentProps {
  readonly comment: Comment
  readonly path: string
  readonly onDone: () => void
}

function EditComment({ comment, path, onDone }: EditCommentProps) {
  const form = useForm(
    { text: comment.text },
    ({ text }) => call('PATCH', `${path}/${comment.id}`, { data: { text } }),
    () => {
      onDone()
      void invalidate(path)
    },
  )
  return <CommentForm form={form} label="Comment" send="Save comment" onCancel={onDone} />
}

interface CommentFormProps {
  readonly form: ReturnType<typeof useForm<{ text: string }, unknown>>
  readonly label: string
  readonly send: string
  readonly onCancel?: () => void
}

function CommentForm({ form, label, send, onCancel }: CommentFormProps) {
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="xs">
        <Faults texts={form.faults.others} />
        <Textarea
          aria-label={label}
          placeholder="Add a comment"
          autosize
          minRows={2}
          maxRows={12}
          {...form.field('text')}
        />
        <Group justify="flex-end" gap="xs">
          {onCancel && (
            <Button size="xs" variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" size="xs" loading={form.isSending} disabled={form.values.text.trim() === ''}>
            {send}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
