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

/*
 * Idea: one node of the queue tree: the parts about amounts, lending and admission are objects of
 * their own, the account knows its place in the tree and the versions that caches depend on.
 * Invariants: depth and height are fixed; noteChange raises the versions of all ancestors too;
 * reading a version divides the books first. QueueLaws and QueueRetryLaws.
 * Cost: hold, request and noteChange O(depth x resources); isIn and admissionVersion O(depth); the
 * rest O(1) or O(resources).
 */
/** One queue of a tree: its position, usage, requests and quotas, descendants included. Mutable. */
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
    version = books.stamps().next();
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

  /** Returns the length of the longest path down to a leaf; 0 for a leaf. */
  int height() {
    return height;
  }

  /** Returns the name of the queue. */
  public QueueName name() {
    return spec.name();
  }

  /** Returns its index in the tree, in the order of definition. */
  public int index() {
    return index;
  }

  /** Returns the parent; null for a root. */
  public @Nullable QueueAccount parent() {
    return parent;
  }

  /** Returns the root of the subtree that holds this queue. */
  public QueueAccount root() {
    return root;
  }

  /** Returns true if this is {@code queue} or one of its descendants. */
  public boolean isIn(QueueAccount queue) {
    @Nullable QueueAccount at = this;
    while (at != null && at.depth > queue.depth) {
      at = at.parent;
    }
    return queue.equals(at);
  }

  /** Returns the nearest queue that contains both, or is one of them; null if none does. */
  @Nullable QueueAccount commonWith(QueueAccount other) {
    @Nullable QueueAccount common = this;
    while (common != null && !other.isIn(common)) {
      common = common.parent;
    }
    return common;
  }

  /** Returns true if the queue or an ancestor has a limit. */
  public boolean isLimited() {
    return amounts.isLimited() || (parent != null && parent.isLimited());
  }

  /** Returns true if the queue has a parent. */
  public boolean isPart() {
    return parent != null;
  }

  int depth() {
    return depth;
  }

  /** Returns the priority among its siblings; higher goes first. */
  int priority() {
    return spec.priority();
  }

  /** Returns the children. */
  public List<QueueAccount> children() {
    return Collections.unmodifiableList(children);
  }

  /** Returns the children of the parent, this queue included; for a root all roots. */
  public List<QueueAccount> siblings() {
    return parent == null ? books.roots() : parent.children();
  }

  /** Returns the position among all leaves in serving order; 0 for the first. */
  public int position() {
    return position;
  }

  void setPosition(int position) {
    this.position = position;
  }

  /** Returns the queue's pre-emption rules (lending mode only). */
  public QueuePreemption preemption() {
    return spec.preemption();
  }

  /** Returns true if its jobs may bypass earlier ones that do not fit, if the policy lets them. */
  public boolean allowsBypass() {
    return spec.bypass();
  }

  /** Returns the check of additional jobs against the quotas. */
  public QuotaAdmission admission() {
    return admission;
  }

  /** Returns the quotas, usage and requests. */
  QueueAmounts amounts() {
    return amounts;
  }

  /** Returns the dominant share of what the queue borrows. */
  public DominantShare borrowedShare() {
    return lending.borrowedShare(HypotheticalUsage.toLend());
  }

  /** Returns the lent and borrowed amounts. */
  QueueLending lending() {
    return lending;
  }

  /** Adds {@code times} times a charge to the usage of this leaf and its ancestors. */
  public void hold(Charge charge, boolean preemptible, int times) {
    books.change(this);
    books.changeHoldings();
    noteChange();
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.amounts.hold(charge, preemptible, times);
      if (!preemptible || queue.amounts.isLimited()) {
        queue.limitVersion = books.nextStamp(queue);
      }
    }
    lending.hold(charge, times);
  }

  /**
   * Returns the amounts up to which a leaf's guarantee is to be reserved for its next job: none if
   * it may reclaim from every borrower, or if that job exceeds the limit.
   */
  public Charge reservationFor(Charge asked) {
    return preemption().others() == Victims.ANY ? books.nothing() : lending.usedWith(asked);
  }

  /** Adds {@code times} times a charge to the requests of this leaf and its ancestors. */
  public void request(Charge charge, int times) {
    books.change(this);
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.amounts.request(charge, times);
    }
  }

  /**
   * Returns the usage and the shares of the last division.
   *
   * @param leaving what jobs that are leaving hold besides
   */
  public QueueStatus status(LeavingUsage leaving) {
    return amounts.status(leaving.beyond(this));
  }

  /** Returns the number of queues in the tree. */
  int queues() {
    return books.accounts().size();
  }

  /** Returns the number of counted resources. */
  int resources() {
    return amounts.resources();
  }

  QuotaResource resource(int resource) {
    return books.tree().resources().get(resource);
  }

  /** Returns the cluster's capacity of a resource. */
  long total(int resource) {
    return books.total(resource);
  }

  /** Returns the guaranteed amount of a resource: the nominal quota where queues lend. */
  long guaranteed(int resource) {
    return amounts.guaranteed(resource);
  }

  /** Returns the limit of a resource; {@link Long#MAX_VALUE} if there is none. */
  long limit(int resource) {
    return amounts.limit(resource);
  }

  /** Returns the amount of a resource that its jobs hold or are promised. */
  long held(int resource) {
    return amounts.held(resource);
  }

  /** Returns the fair share of the last division. */
  long share(int resource) {
    return amounts.share(resource);
  }

  /** Returns the larger of share and guarantee, capped by the limit. */
  long due(int resource) {
    return amounts.due(resource);
  }

  /** Returns true if the queue stays within its share with {@code more}. */
  public boolean isInShare(Charge more) {
    return amounts.isInShare(more);
  }

  /**
   * Returns true if the queue and all its ancestors borrow nothing with {@code more}. Where the
   * dominant shares decide they may hold the larger of nominal quota and computed share, beyond
   * which they borrow more for their weight than others.
   */
  public boolean isEntitledTo(Charge more) {
    for (@Nullable QueueAccount at = this; at != null; at = at.parent) {
      for (int resource = 0; resource < resources(); resource++) {
        long asked = more.of(resource);
        if (asked > 0 && asked > at.entitlement(resource) - at.held(resource)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns what it may hold without borrowing. */
  private long entitlement(int resource) {
    return switch (books.tree().reclaiming()) {
      case COMPUTED_SHARES -> share(resource);
      case LENT_QUOTA -> guaranteed(resource);
      case NEVER, DOMINANT_SHARES -> Math.max(share(resource), guaranteed(resource));
    };
  }

  void setShare(int resource, long amount) {
    if (amounts.setShare(resource, amount)) {
      noteChange();
      isToBeDivided = true;
      books.changeHoldings();
      books.reorder(this);
    }
  }

  /** Returns true if its order among siblings depends on the cluster's capacity. */
  boolean isOrderedByTotals() {
    return amounts.dependOnTotals();
  }

  /** Returns the queue's claim on a resource that is divided in units of {@code grain}. */
  Claim claim(int resource, double grain) {
    return amounts.claim(resource, grain, lending.lent().floor(resource));
  }

  /**
   * Increases the version of this queue and its ancestors: which jobs they would lose may have
   * changed.
   */
  public void noteChange() {
    for (@Nullable QueueAccount queue = this; queue != null; queue = queue.parent) {
      queue.version = books.nextStamp(queue);
    }
  }

  /**
   * Returns a number that changes with the usage or the share of this queue or a descendant, and
   * with the set or order of their pre-emptible jobs.
   */
  public long version() {
    books.divide();
    return version;
  }

  /**
   * Returns a number that changes whenever this leaf may admit or evict other jobs than before: its
   * own {@link #version} and the usage of its limited ancestors.
   */
  public long admissionVersion() {
    long latest = version();
    for (@Nullable QueueAccount queue = parent; queue != null; queue = queue.parent) {
      latest = Math.max(latest, queue.limitVersion);
    }
    return latest;
  }

  /** The numbers of its state. */
  record Image(long version, long limitVersion) {}

  /** Returns the numbers of its present state. */
  Image image() {
    return new Image(version, limitVersion);
  }

  /** Returns to an image; usage and shares are those of then. */
  void rollBackTo(Image image) {
    version = image.version;
    limitVersion = image.limitVersion;
  }

  /** Marks the claims of its children as changed. */
  void markUndivided() {
    isToBeDivided = true;
  }

  /** Returns true if its share or the claims of its children have changed, and resets the mark. */
  boolean takeIsToBeDivided() {
    boolean was = isToBeDivided;
    isToBeDivided = false;
    return was;
  }

  /** Returns the cached serving order of its leaves; null if outdated. */
  QueueOrdering.@Nullable OrderedParts inOrder() {
    return inOrder;
  }

  void putInOrder(QueueOrdering.OrderedParts parts) {
    inOrder = parts;
  }

  /** Drops the cached serving order of its leaves. */
  void forgetPartOrder() {
    inOrder = null;
  }
}
