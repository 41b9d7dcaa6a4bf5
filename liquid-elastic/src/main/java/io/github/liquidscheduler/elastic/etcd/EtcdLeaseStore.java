package io.github.liquidscheduler.elastic.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps leases in etcd 3.4 or newer.
 *
 * <p>The leader's record is a key that is bound to an etcd lease, so the servers drop it when it is
 * not renewed. Its token is the revision at which the key was created, and what a leader saves is
 * written only if that revision still stands. Times to live are rounded up to whole seconds, and
 * servers may raise them to their own minimum.
 */
public final class EtcdLeaseStore implements LeaseStore, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Client client;

  private EtcdLeaseStore(Client client) {
    this.client = client;
  }

  /** Returns a store in etcd servers, such as {@code http://localhost:2379}. */
  public static EtcdLeaseStore connect(String... endpoints) {
    return new EtcdLeaseStore(Client.builder().endpoints(endpoints).build());
  }

  @Override
  public Optional<Lease> acquire(String key, String holder, Duration timeToLive) {
    if (read(key).isPresent()) {
      return Optional.empty();
    }
    long seconds = Math.ceilDiv(timeToLive.toMillis(), 1000L);
    long lease = await(client.getLeaseClient().grant(seconds)).getID();
    PutOption bound = PutOption.builder().withLeaseId(lease).build();
    Txn create =
        transaction().If(createdAt(key, 0)).Then(Op.put(leaderKey(key), bytes(holder), bound));
    var response = await(create.commit());
    if (!response.isSucceeded()) {
      await(client.getLeaseClient().revoke(lease));
      return Optional.empty();
    }
    return Optional.of(new Lease(key, holder, response.getHeader().getRevision()));
  }

  @Override
  public boolean renew(Lease lease) {
    Optional<KeyValue> record = record(lease.key()).filter(value -> isOf(lease, value));
    return record.isPresent() && keepAlive(record.get().getLease());
  }

  @Override
  public void release(Lease lease) {
    record(lease.key())
        .filter(record -> isOf(lease, record))
        .ifPresent(record -> await(client.getLeaseClient().revoke(record.getLease())));
  }

  @Override
  public Optional<Lease> read(String key) {
    return record(key)
        .map(
            record ->
                new Lease(key, record.getValue().toString(UTF_8), record.getCreateRevision()));
  }

  @Override
  public boolean save(Lease lease, String value) {
    Txn write =
        transaction()
            .If(createdAt(lease.key(), lease.token()))
            .Then(Op.put(stateKey(lease.key()), bytes(value), PutOption.DEFAULT));
    return await(write.commit()).isSucceeded();
  }

  @Override
  public Optional<String> load(String key) {
    return get(stateKey(key)).map(record -> record.getValue().toString(UTF_8));
  }

  @Override
  public void close() {
    client.close();
  }

  private Txn transaction() {
    return client.getKVClient().txn();
  }

  private boolean keepAlive(long lease) {
    try {
      return await(client.getLeaseClient().keepAliveOnce(lease)).getTTL() > 0;
    } catch (UncheckedIOException expired) {
      return false;
    }
  }

  private Optional<KeyValue> record(String key) {
    return get(leaderKey(key));
  }

  private Optional<KeyValue> get(ByteSequence key) {
    return await(client.getKVClient().get(key)).getKvs().stream().findFirst();
  }

  private static boolean isOf(Lease lease, KeyValue record) {
    return record.getCreateRevision() == lease.token();
  }

  private static Cmp createdAt(String key, long revision) {
    return new Cmp(leaderKey(key), Cmp.Op.EQUAL, CmpTarget.createRevision(revision));
  }

  private static ByteSequence leaderKey(String key) {
    return bytes(key + "/leader");
  }

  private static ByteSequence stateKey(String key) {
    return bytes(key + "/state");
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  private static <T> T await(CompletableFuture<T> response) {
    try {
      return response.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new UncheckedIOException(new IOException("etcd did not answer", e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("Interrupted while etcd answered"));
    }
  }
}
