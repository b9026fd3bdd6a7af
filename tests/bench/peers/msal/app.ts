import { PublicClientApplication, type Configuration } from '@azure/msal-browser';

export const configuration: Configuration = {
  auth: {
    clientId: '00000000-0000-0000-0000-000000000001',
    authority: 'https://login.microsoftonline.com/common',
    redirectUri: 'https://extension.chromiumapp.org/',
  },
  cache: { cacheLocation: 'localStorage' },
};

export const app = new PublicClientApplication(configuration);
