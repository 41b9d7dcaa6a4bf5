package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LineConnectionTest {
  private static final int MEGABYTE = 1 << 20;
  private static final int MOST_ROUNDS = 500;

  private static final LineConnection.Bounds BOUNDS =
      new LineConnection.Bounds(MEGABYTE, 1000L * MEGABYTE, Duration.ofMillis(200));

  @Test
  void whoDoesNotReadIsDisconnectedAfterAWhileThoughMoreIsSentToIt() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    CountDownLatch closed = new CountDownLatch(1);
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket deaf = new Socket(loopback, server.getLocalPort());
        Socket accepted = server.accept()) {
      LineConnection connection =
          LineConnection.open(
              accepted, new JsonLines(), BOUNDS, (from, frame) -> {}, gone -> closed.countDown());
      for (int line = 0; line < 16; line++) {
        connection.send(new Frame.Hello("x".repeat(MEGABYTE), null));
      }
      boolean isClosed = false;
      for (int round = 0; round < MOST_ROUNDS && !isClosed; round++) {
        connection.send(new Frame.Leave());
        connection.refuseIfStuck();
        isClosed = closed.await(10, TimeUnit.MILLISECONDS);
      }

      assertThat(isClosed).isTrue();
      assertThat(deaf.isConnected()).isTrue();
    }
  }
}
