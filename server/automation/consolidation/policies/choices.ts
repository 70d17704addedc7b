export const HALF_LIFE_CHOICES = ['highest', 'lowest', 'latest', 'preferred_source'] as const

export const TLP_CHOICES = ['highest', 'lowest', 'preferred_source'] as const
