// Loaded into a server that a launcher started: when the launcher is killed, the server ends in good order.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
