package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.share.Claim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One queue of a tree: where it stands, and what its jobs, and those of the queues that are a part
 * of it, hold and ask for, beside what it may hold. Mutable.
 */
public final class QueueAccount {

  private final QueueBooks books;
  private final QueueSpec spec;
  private final int index;
  private final @Nullable QueueAccount parent;
  private final QueueAccount root;
  private final int depth;
  private final List<QueueAccount> children = new ArrayList<>();
  private final QueueAmounts amounts;
  private final QueueLending lending;
  private final QuotaAdmission admission;
  private int height;
  private int position;
  private boolean isToBeDivided = true;
  private long version;
  private long limitVersion;
  private QueueOrdering.@Nullable OrderedParts inOrder;

  QueueAccount(QueueBooks books, QueueSpec spec, int index, @Nullable QueueAccount parent) {
    this.books = books;
    this.spec = spec;
    this.index = index;
    this.parent = parent;
    root = parent == null ? this : parent.root;
    depth = parent == null ? 0 : parent.depth + 1;
    amounts = new QueueAmounts(books, spec, index);
    lending = new QueueLending(books, this, amounts);
    admission = new QuotaAdmission(books, this);
    if (parent != null) {
      parent.children.add(this);
      parent.grow(1);
    }
  }

  private void grow(int least) {
    height = Math.max(height, least);
    if (parent != null) {
      parent.grow(height + 1);
    }
  }

  /** Returns how far the deepest of its parts is below it; 0 if it has none. */
  int height() {
    return height;
  }

  /** Returns the name of the queue. */
  public QueueName name() {
    return spec.name();
  }

  /** Returns its number in the tree, by the order in which queues were named. */
  public int index() {
    return index;
  }

  /** Returns the queue that it is a part of; null at the top. */
  public @Nullable QueueAccount parent() {
    return parent;
  }

  /** Returns the queue at the top that it is, or is a part of. */
  public QueueAccount root() {
    return root;
  }

  /** Returns true if it is a queue, or a part of it or of its parts. */
  public boolean isIn(QueueAccount queue) {
    @Nullable QueueAccount at = this;
    while (at != null && at.depth > queue.depth) {
      at = at.parent;
    }
    return queue.equals(at);
  }

  /** Returns true if it is a part of another queue. */
  public boolean isPart() {
    return parent != null;
  }

  int depth() {
    return depth;
  }

  int priority() {
    return spec.priority();
  }

  /** Returns its parts. */
  public List<QueueAccount> children() {
    return Collections.unmodifiableList(children);
  }

  /** Returns the parts of its parent, itself among them; at the top all that are there. */
  public List<QueueAccount> siblings() {
    return parent == null ? books.roots() : parent.children();
  }

  /** Returns where the queue stands among all in which jobs may stand; 0 for the first. */
  public int position() {
    return position;
  }

  void setPosition(int position) {
    this.position = position;
  }

  /** Returns whom its jobs may have stopped, where queues lend each other quota. */
  public QueuePreemption preemption() {
    return spec.preemption();
  }

  /** Returns true if its jobs may start before others that come before them and do not fit. */
  public boolean allowsBypass() {
    return spec.bypass();
  }

  /** Returns true if its quotas let it hold jobs besides what it holds. */
  public QuotaAdmission admission() {
    return admission;
  }

  /** Returns what it may hold, holds and asks for. */
  QueueAmounts amounts() {
    return amounts;
  }

  /** Returns what it lends and borrows. */
  QueueLending lending() {
    return lending;
  }

  /** Notes that a job of this queue, a leaf, starts to hold something, or with -1 that it ends. */
  public void hold(Charge charge, boolean preemptible, int times) {
    books.change(this);
    books.changeHoldings();
    noteChange();
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.amounts.hold(charge, preemptible, times);
      queue.limitVersion += preemptible && !queue.amounts.isLimited() ? 0 : 1;
    }
    lending.hold(charge, times);
  }

  /**
   * Keeps for the next job of this queue, a leaf, what is guaranteed to the queue, if it may not
   * take that back from everybody: what others borrow meanwhile would be gone until they end. A job
   * that asks for more than the limit is not waited for.
   */
  public void reserveFor(Charge asked) {
    if (preemption().others() != Victims.ANY) {
      lending.reserveFor(asked);
    }
  }

  /** Keeps no more than what may not be lent. */
  public void releaseReservation() {
    lending.releaseReservation();
  }

  /** Notes that a job of this queue, a leaf, wants so much, or with -1 that it no longer does. */
  public void request(Charge charge, int times) {
    books.change(this);
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.amounts.request(charge, times);
    }
  }

  /** Returns what the queue holds, and what is due to it as it was divided last. */
  public QueueStatus status() {
    return amounts.status();
  }

  /** Returns how many queues there are in its tree. */
  int queues() {
    return books.accounts().size();
  }

  /** Returns how many resources are counted. */
  int resources() {
    return amounts.resources();
  }

  QuotaResource resource(int resource) {
    return books.tree().resources().get(resource);
  }

  /** Returns how much of a resource there is in all. */
  long total(int resource) {
    return books.total(resource);
  }

  long guaranteed(int resource) {
    return amounts.guaranteed(resource);
  }

  long limit(int resource) {
    return amounts.limit(resource);
  }

  long held(int resource) {
    return amounts.held(resource);
  }

  /** Returns what the queue should have if all that there is were divided now. */
  long share(int resource) {
    return amounts.share(resource);
  }

  /** Returns its share or what is guaranteed, whichever is more, but no more than its limit. */
  long due(int resource) {
    return amounts.due(resource);
  }

  /** Returns true if the queue would hold no more than its share with a job besides. */
  public boolean isInShare(Charge more) {
    return amounts.isInShare(more);
  }

  void setShare(int resource, long amount) {
    if (amounts.setShare(resource, amount)) {
      noteChange();
      isToBeDivided = true;
      books.changeHoldings();
      books.reorder(this);
    }
  }

  /** Returns true if its place among its siblings depends on how much there is in all. */
  boolean isOrderedByTotals() {
    return amounts.dependOnTotals();
  }

  /** Returns what the queue claims of a resource of which {@code grain} are handed out together. */
  Claim claim(int resource, double grain) {
    return amounts.claim(resource, grain, lending.lent().floor(resource));
  }

  /** Notes that something has changed by which it or its parts lose jobs. */
  public void noteChange() {
    for (@Nullable QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.version++;
    }
  }

  /**
   * Returns a number that is another whenever this queue or one of its parts holds something else,
   * something else is due to one of them, or others of their jobs may leave, or in another order.
   */
  public long version() {
    books.divide();
    return version;
  }

  /**
   * Returns a number that is another whenever something has changed by which this queue, a leaf,
   * may hold jobs, or they have others leave: its own {@link #version}, and what those that it is a
   * part of hold, as far as their quotas keep anybody.
   */
  public long admissionVersion() {
    long sum = version();
    for (@Nullable QueueAccount queue = parent; queue != null; queue = queue.parent) {
      sum += queue.limitVersion;
    }
    return sum;
  }

  /** Holds, asks for and is due the same as the same queue of equal books, which are divided. */
  void copyFrom(QueueAccount other) {
    amounts.copyFrom(other.amounts);
    lending.copyFrom(other.lending);
    version = other.version;
    limitVersion = other.limitVersion;
    isToBeDivided = false;
    inOrder = null;
  }

  /** Notes that its parts claim something else of it. */
  void markUndivided() {
    isToBeDivided = true;
  }

  /** Returns true if its share, or what its parts claim, has changed, and forgets it. */
  boolean takeIsToBeDivided() {
    boolean was = isToBeDivided;
    isToBeDivided = false;
    return was;
  }

  /** Returns its parts in the order in which they were put last; null if that may be another. */
  QueueOrdering.@Nullable OrderedParts inOrder() {
    return inOrder;
  }

  void putInOrder(QueueOrdering.OrderedParts parts) {
    inOrder = parts;
  }

  /** Notes that its parts, or parts of these, may stand in another order. */
  void forgetPartOrder() {
    inOrder = null;
  }
}
