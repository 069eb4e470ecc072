// Whether the browser has a connection.
class Connection {
  isOnline = $state(navigator.onLine);
}

export const connection = new Connection();
for (const event of ['online', 'offline']) addEventListener(event, () => (connection.isOnline = navigator.onLine));
