import LogtoClient from '@logto/chrome-extension';

export const client = new LogtoClient({ endpoint: 'https://logto.example/', appId: 'app' });
